import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A folder from which every package of ours is found by its name. */
const folder = fileURLToPath(new URL('.', import.meta.url))

const tell = `
  import { writeSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const seen = new Set()
  registerHooks({ load(url, context, next) { seen.add(url); return next(url, context) } })
  process.on('exit', () => writeSync(3, [...seen].join('\\n')))`

/** The addresses of all modules that a program loads while it runs, those of Node among them: what stands behind `node`. */
export function modulesOf(...program: readonly string[]): readonly string[] {
  const hooks = [
    '--disable-warning=ExperimentalWarning',
    '--import',
    `data:text/javascript,${encodeURIComponent(tell)}`,
  ]
  const { status, output } = spawnSync(process.execPath, [...hooks, ...program], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  })
  if (status !== 0) throw new Error(`${program.join(' ')} ended with ${status}.`)
  return output[3]!.split('\n')
}

/** The same of a module that is written here. */
export function modulesOfText(text: string): readonly string[] {
  return modulesOf('--input-type=module', '--eval', text)
}
