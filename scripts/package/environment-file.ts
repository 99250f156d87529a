const HEAD = `# Settings of Causeway. Remove the # before a name to set it, then: systemctl restart causeway
# A mistake is told with its name: journalctl -u causeway
`

/** What the unit of the package says. */
const OF_PACKAGE: Record<string, string> = { '`DATA_DIR`': '/var/lib/causeway' }

/** The settings file of a package: every name in README's tables of settings, commented out, with its meaning. */
export function environmentFile(readme: string): string {
  const rows = [...readme.matchAll(/^\| (`[A-Z_0-9]+`(?:, `[A-Z_0-9]+`)*) \| (.+?) \| (.+) \|$/gm)]
  const lines = rows.flatMap(([, names = '', fallback = '', meaning = '']) => [
    '',
    `# ${plain(meaning)}. Default: ${OF_PACKAGE[names] ?? plain(fallback)}`,
    ...[...names.matchAll(/`(\w+)`/g)].map(([, name]) => `#${name}=`),
  ])
  return `${[HEAD, ...lines].join('\n').replace(/\n{3,}/g, '\n\n')}\n`
}

function plain(text: string): string {
  // Links lead to pages that a package does not have.
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .replaceAll('\\|', '|')
}
