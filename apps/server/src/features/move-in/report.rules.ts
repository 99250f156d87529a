import type { Counts, Finding } from '@causeway/import'

/** The report of an import, or of a dry run, for a terminal. */
export function inWords(report: { version: string; isDryRun: boolean; counts: Counts; findings: Finding[] }): string {
  const { version, isDryRun, counts, findings } = report
  const head = isDryRun
    ? `A database of version ${version}. This would come over; nothing was written:`
    : `Imported from a database of version ${version}:`
  const lines = Object.entries(counts).map(([kind, count]) => `  ${count.toLocaleString('en').padStart(12)}  ${kind}`)
  const settled = findings.flatMap(({ sentence, count, examples }) => [
    `  ${count.toLocaleString('en')}: ${sentence}`,
    ...examples.map((example) => `      ${example}`),
    ...(count > examples.length ? [`      and ${(count - examples.length).toLocaleString('en')} more`] : []),
  ])
  return [head, ...lines, ...(settled.length > 0 ? ['Differences:', ...settled] : ['Nothing differs.'])].join('\n')
}
