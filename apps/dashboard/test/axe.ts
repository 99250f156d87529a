import axe from 'axe-core'

/** What axe finds wrong with the screen, or with the part that a selector names. */
export async function violations(part?: string): Promise<string[]> {
  const found = await axe.run(part ?? document)
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}
