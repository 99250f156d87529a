const HEAD = `# Settings of Causeway. Remove the # before a name to set it, then: systemctl restart causeway
# A mistake is told with its name: journalctl -u causeway
`

/** The settings file of a package: every name in README's tables of settings, commented out, with its meaning. */
export function environmentFile(readme: string): string {
  const rows = [...readme.matchAll(/^\| (`[A-Z_0-9]+`(?:, `[A-Z_0-9]+`)*) \| (.+?) \| (.+) \|$/gm)]
  const lines = rows.flatMap(([, names = '', fallback = '', meaning = '']) => [
    '',
    `# ${plain(meaning)}. Default: ${plain(fallback)}`,
    ...[...names.matchAll(/`(\w+)`/g)].map(([, name]) => `#${name}=`),
  ])
  return `${[HEAD, ...lines].join('\n').replace(/\n{3,}/g, '\n\n')}\n`
}

function plain(text: string): string {
  return text.replaceAll('`', '').replaceAll('\\|', '|')
}
