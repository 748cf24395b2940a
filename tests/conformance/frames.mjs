// Frames on a connection (transport 3): a length in 4 bytes and so many bytes after it.

/** The whole frames in these bytes, or null if a length ends the connection (transport 3.2). */
export function readFrames(bytes, limit) {
  const frames = []
  let at = 0
  while (bytes.length - at >= 4) {
    const size = bytes.readUInt32BE(at)
    if (size < 1 || size > limit) return null
    if (bytes.length - at - 4 < size) break
    frames.push(bytes.subarray(at + 4, at + 4 + size))
    at += 4 + size
  }
  return frames
}
