import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { EngineError } from '../errors/error.ts'

/** The file `worker` beside a module: TypeScript in the sources, JavaScript in a package. A bundle that swallowed the module has neither. */
export function threadFile(beside: string): URL {
  const file = new URL(beside.endsWith('.ts') ? './worker.ts' : './worker.js', beside)
  if (file.protocol !== 'file:' || existsSync(fileURLToPath(file))) return file
  throw new EngineError(
    'not_configured',
    `The file ${fileURLToPath(file)} is missing: threads run it, and a bundle leaves it out. Keep @harvestman/* external when you bundle, and install the packages beside the bundle.`,
  )
}
