import { Command } from 'commander'

/** `causeway start`: the server, until a signal ends it. */
export function startCommand(): Command {
  return new Command('start').description('start the server').action(startServer)
}

/** Reads the server only now: other subcommands answer in a fifth of the time. */
export async function startServer(): Promise<void> {
  const { main } = await import('../main.ts')
  console.log(`\nCauseway is at ${await main()}. Ctrl-C stops it.\n`)
}
