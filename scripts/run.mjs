// The first thing every npm command runs, on any Node from 20 on and with nothing installed: installs what the lock file
// says, then hands over to the pinned Node. Plain JavaScript because nothing can be assumed yet.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

// Not import.meta.dirname: on a Node too old to have it, the sentence below must still be reached.
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const modules = path.join(root, 'node_modules')
const stamp = path.join(modules, '.install-stamp')
// Beside node_modules, which npm empties.
const lock = path.join(root, '.installing')

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 11)) stop(`Node.js 20.11 or newer is needed; this is ${process.versions.node}.`)

install()
// Options before the script are the pinned Node's own.
const given = process.argv.slice(2)
const scriptAt = given.findIndex((word) => !word.startsWith('--'))
const [script, ...args] = given.slice(scriptAt)
const options = ['--disable-warning=ExperimentalWarning', ...given.slice(0, scriptAt)]
const child = spawn(findNode(), [...options, path.join(root, script), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    CAUSEWAY_CWD: process.cwd(),
    PATH: path.join(modules, '.bin') + path.delimiter + process.env.PATH,
    NODE_COMPILE_CACHE: path.join(modules, '.cache/node'),
  },
})
// A terminal's Ctrl-C already reaches the child (same process group); a supervisor's TERM or HUP does not.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
process.on('SIGINT', () => {})
child.on('exit', (code, signal) => {
  if (!signal) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})

function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(process.platform + process.arch)
    .digest('hex')
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (isInstalled()) return
  takeTurn()
  try {
    if (isInstalled()) return
    console.log('Installing dependencies (first run, or the lock file changed) ...')
    rmSync(stamp, { force: true })
    const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
    // Platform packages are optional and tools are for development; neither may be left out by somebody's npm settings.
    const options = ['--include=optional', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
    const result = spawnSync(npm[0], [...npm.slice(1), 'ci', ...options], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: '' },
    })
    if (result.error)
      stop(`npm could not be started (${result.error.message}). Install it beside Node.js and run the command again.`)
    if (result.status !== 0)
      stop(
        'The dependencies could not be installed; npm says why above. Check the network and the disk, and run the command again.',
      )
    writeFileSync(stamp, wanted)
  } finally {
    giveUpTurn()
    process.off('exit', giveUpTurn)
  }
}

/** Two commands at once on a fresh clone would empty each other's node_modules: the second waits for the first. */
function takeTurn() {
  for (let waited = 0; ; waited += 1) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      process.on('exit', giveUpTurn) // process.exit passes over every `finally`
      return
    } catch (error) {
      if (error.code !== 'EEXIST')
        stop(`Nothing can be installed in ${root} (${error.message}). Give the folder to the user who runs this.`)
    }
    if (!isRunning(lock)) rmSync(lock, { force: true })
    else if (waited === 0) console.log(`Another command is installing the dependencies (${lock} names it); waiting for it ...`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  }
}

function giveUpTurn() {
  rmSync(lock, { force: true })
}

/** A command that was killed leaves its file behind. */
function isRunning(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function findNode() {
  const bundled = path.join(modules, '.bin/node')
  if (existsSync(bundled) && spawnSync(bundled, ['-v']).status === 0) return bundled
  if (major >= 24) return process.execPath
  return stop(
    `No Node 24 for ${process.platform}-${process.arch} comes with npm. Install Node.js 24 or newer and run the command again.`,
  )
}

function stop(sentence) {
  console.error(sentence)
  return process.exit(1)
}
