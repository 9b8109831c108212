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
  const folder = join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'harvestman', 'compiled')
  const { directory } = enable?.(folder) ?? {}
  if (directory !== undefined) env['NODE_COMPILE_CACHE'] = directory
}
