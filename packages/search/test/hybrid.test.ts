import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { indexContract } from './index-contract.ts'

indexContract((cleanups) => {
  const folder = mkdtempSync(join(tmpdir(), 'hybrid-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return { folder }
})
