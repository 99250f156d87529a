// The program of a node: without a subcommand the agent, which runs until it is told to stop.
const line = process.argv.slice(2)
if (line.length === 0) {
  const { giveWayToNewest } = await import('./parts/newest.ts')
  giveWayToNewest()
  await import('./run.ts')
} else {
  const { runCausewayNode } = await import('./causeway-node.ts')
  await runCausewayNode(line)
}
export {}
