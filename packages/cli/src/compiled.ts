import { mkdirSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// An old Node has it not, and is told so later, in a sentence.
const enable: typeof module.enableCompileCache | undefined = module.enableCompileCache

/**
 * Has Node keep what it makes of the sources for the next start, in a folder of this user: NODE_COMPILE_CACHE names another one.
 * Where that cannot be written nothing is kept. Threads and programs that are started from here find the folder in the environment.
 */
export function keepCompiled(env: NodeJS.ProcessEnv): void {
  if (env['NODE_COMPILE_CACHE'] !== undefined) return
  const caches = env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const folder = makeWithin(caches, 'harvestman', 'compiled')
  const { directory } = (folder !== undefined && enable?.(folder)) || {}
  if (directory !== undefined) env['NODE_COMPILE_CACHE'] = directory
}

/** Makes each folder by itself: where a system refuses one as `/proc` does, Node would try it and its parents again for ever. */
function makeWithin(...names: readonly string[]): string | undefined {
  let folder = ''
  for (const name of names) {
    folder = join(folder, name)
    try {
      mkdirSync(folder)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return undefined
    }
  }
  return folder
}
