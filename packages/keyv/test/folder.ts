import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

/** A folder of its own for a test, gone afterwards. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'harvestman-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
