/** Where the commit can be read, if the repository is at one of the usual hosts. */
export function commitPage(repository: string | null, commit: string | null): string | null {
  return repository && commit ? `${repository.replace(/(\.git)?\/?$/, '')}/commit/${commit}` : null
}

/** The tag that names a commit in git's packed list; an annotated tag is followed by the commit it stands for. */
export function packedTag(packedRefs: string, commit: string): string | null {
  const lines = packedRefs.split('\n')
  const index = lines.findIndex((line) => line === `^${commit}` || (line.startsWith(commit) && line.includes(' refs/tags/')))
  const named = lines[index]?.startsWith('^') ? lines[index - 1] : lines[index]
  return named?.split(' refs/tags/')[1] ?? null
}
