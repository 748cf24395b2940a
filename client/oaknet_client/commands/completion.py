"""``oaknet completion``."""

from __future__ import annotations

import click


@click.command("completion", short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the script that makes a shell complete oaknet's commands and options.

    \b
    bash: oaknet completion bash > ~/.local/share/bash-completion/completions/oaknet
    zsh:  oaknet completion zsh > ~/.zfunc/_oaknet        (a folder of your fpath)
    fish: oaknet completion fish > ~/.config/fish/completions/oaknet.fish
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None, f"click knows {shell}"
    root = ctx.find_root()
    click.echo(made(root.command, {}, "oaknet", "_OAKNET_COMPLETE").source())
