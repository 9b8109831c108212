import { mkdirSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Missing in older Node versions, whose users get an error message about the version later.
const enable: typeof module.enableCompileCache | undefined = module.enableCompileCache

/**
 * Enables Node's compile cache in a folder of this user; NODE_COMPILE_CACHE overrides it. If the folder cannot be written,
 * there is no cache. Threads and child processes find the folder in the environment.
 */
export function keepCompiled(env: NodeJS.ProcessEnv): void {
  if (env['NODE_COMPILE_CACHE'] !== undefined) return
  const caches = env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const folder = makeWithin(caches, 'harvestman', 'compiled')
  const { directory } = (folder !== undefined && enable?.(folder)) || {}
  if (directory !== undefined) env['NODE_COMPILE_CACHE'] = directory
}

/** Creates the folders one by one. With a recursive `mkdir`, Node retries forever on file systems such as `/proc`. */
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
