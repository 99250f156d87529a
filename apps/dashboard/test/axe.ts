import axe from 'axe-core'

/** What axe finds wrong with the screen, or with the part that a selector names. */
export async function violations(part?: string): Promise<string[]> {
  // A fade would spoil the contrast that axe measures; a loader's animation never ends and stays.
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY) animation.finish()
  const found = await axe.run(part ?? document, { resultTypes: ['violations'] }) // what is right is not described
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join(' ')}`,
  )
}
