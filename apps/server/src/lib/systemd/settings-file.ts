import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

// The file that systemd reads settings from (EnvironmentFile= in systemd.exec(5)). systemd drops a line that it does not
// understand with a note in its own log, so the server looks at the file itself.

/** Names how many letters apart are taken for a slip of the pen. */
const SLIP_LETTERS = 2
const SETTING = /^\s*([A-Za-z_][A-Za-z0-9_]*)\s*=/
const COMMENT = /^\s*([#;]|$)/

export interface SettingsFile {
  file: string
  values: Record<string, string>
  /** Line of each name, counted from 1; the last one where a name stands twice, as systemd takes it. */
  lines: Map<string, number>
  /** Lines that set nothing. */
  unread: { line: number; text: string }[]
}

/** Undefined where there is none, or where it cannot be read: the settings have come by the environment all the same. */
export function readSettingsFile(file: string | undefined): SettingsFile | undefined {
  if (file === undefined) return undefined
  try {
    return parseSettingsFile(file, readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

export function parseSettingsFile(file: string, text: string): SettingsFile {
  const lines = new Map<string, number>()
  const unread: SettingsFile['unread'] = []
  const all = text.split('\n')
  for (const [index, line] of all.entries()) {
    const [, name] = SETTING.exec(line) ?? []
    if (name !== undefined) lines.set(name, index + 1)
    // The line before says that it goes on here.
    else if (!COMMENT.test(line) && !all[index - 1]?.endsWith('\\')) unread.push({ line: index + 1, text: line.trim() })
  }
  // Node takes lines that begin with export as well, which systemd leaves out.
  const values = Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) => (lines.has(name) && value !== undefined ? [[name, value]] : [])),
  )
  return { file, values, lines, unread }
}

/** Puts file and line before a sentence about a setting that stands in the file. */
export function placed(sentence: string, settings: SettingsFile | undefined, given: Record<string, string>): string {
  if (settings === undefined) return sentence
  const names = sentence.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []
  const name = names.find((each) => settings.lines.has(each) && settings.values[each]?.trim() === given[each])
  return name === undefined ? sentence : `${settings.file}, line ${settings.lines.get(name)}: ${sentence}`
}

/** Names in the file that differ by a slip of the pen from a setting, with that setting. */
export function misspelt({ lines }: SettingsFile, known: readonly string[]): { line: number; name: string; likely: string }[] {
  return [...lines]
    .filter(([name]) => !known.includes(name))
    .flatMap(([name, line]) => {
      const likely = known.find((each) => distance(name.toUpperCase(), each) <= SLIP_LETTERS)
      return likely === undefined ? [] : [{ line, name, likely }]
    })
}

/** Letters that are put in, left out or changed (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1]
    for (let at = 0; at < other.length; at++)
      next.push(Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (letter === other[at] ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}
