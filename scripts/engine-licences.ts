import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const LICENCE_FILE = /^(licen[cs]e|copying|notice|patents|authors|unlicense)([-._].*)?$/i

const INTRODUCTION = `The Xray binary and the validator beside this file are built from the modules below, unmodified except that the validator
leaves out system calls a browser does not have (engine/browser). Each module is listed with its licence.
`

/** Every Go module linked into the engine with its licence texts, as they lie in the module cache. */
export function listLicences(go: string, folder: string): string {
  const format = '{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}'
  const packages = ['github.com/xtls/xray-core/main']
  const listed = execFileSync(go, ['list', '-deps', '-f', format, ...packages], { cwd: folder, encoding: 'utf8' })
  const modules = [...new Set(listed.split('\n').filter(Boolean))].toSorted()
  const sections = modules.map((line) => {
    const [name, version, directory] = line.split('\t')
    if (!name || !directory) throw new Error(`Go listed a module without a folder: ${line}`)
    return `${name} ${version}\n${'-'.repeat(78)}\n${licenceTexts(name, directory)}`
  })
  const goRoot = execFileSync(go, ['env', 'GOROOT'], { cwd: folder, encoding: 'utf8' }).trim()
  sections.push(`Go standard library\n${'-'.repeat(78)}\n${readFileSync(path.join(goRoot, 'LICENSE'), 'utf8')}`)
  // Some modules carry only the notice; the licence wants its whole text handed on.
  const gpl = readFileSync(path.join(folder, 'licences/GPL-3.0.txt'), 'utf8')
  sections.push(
    `Text of the GNU General Public License, version 3, for the modules above that refer to it\n${'-'.repeat(78)}\n${gpl}`,
  )
  return [INTRODUCTION, ...sections].join(`\n${'='.repeat(78)}\n`)
}

function licenceTexts(name: string, directory: string): string {
  const files = readdirSync(directory).filter((file) => LICENCE_FILE.test(file))
  if (files.length === 0) throw new Error(`The module ${name} has no licence file in ${directory}; find out its licence first.`)
  return files.map((file) => readFileSync(path.join(directory, file), 'utf8')).join('\n')
}
