import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { EngineError } from '@harvestman/ports'

/**
 * Returns the URL of a module in the same folder: TypeScript in the sources, JavaScript in a package. Does not check
 * that it exists.
 */
export function fileBeside(beside: string, name: string): URL {
  return new URL(`./${name}${beside.endsWith('.ts') ? '.ts' : '.js'}`, beside)
}

/**
 * Returns the URL of the file `worker` in the same folder: TypeScript in the sources, JavaScript in a package. Throws
 * `not_configured` if a bundler has merged the module into a bundle, where neither file exists.
 */
export function threadFile(beside: string): URL {
  const file = fileBeside(beside, 'worker')
  if (file.protocol !== 'file:' || existsSync(fileURLToPath(file))) return file
  throw new EngineError(
    'not_configured',
    `The file ${fileURLToPath(file)} is missing: threads run it, and a bundle leaves it out. Keep @harvestman/* external when you bundle, and install the packages beside the bundle.`,
  )
}
