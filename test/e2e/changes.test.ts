import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import { expect, test } from 'vitest'

test('histories are whole after the process that wrote them was killed', { tags: ['long'] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'changes-'))
  const file = join(folder, 'store.sqlite')
  const child = spawn(process.execPath, [fileURLToPath(new URL('changes-child.ts', import.meta.url)), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const over = new Map<string, number>()
  let lines = 0
  for await (const url of createInterface({ input: child.stdout })) {
    over.set(url, (over.get(url) ?? 0) + 1)
    lines += 1
    if (lines === 300) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  const store = sqliteStore(file)
  const engine = createEngine({ store })
  try {
    expect(over.size).toBe(10)
    for (const [url, looks] of over) {
      const { versions } = await engine.changes.history({ url })
      const counted = versions.reduce((sum, { checks }) => sum + checks, 0)
      // None is lost; two more may have been under way.
      expect(counted).toBeGreaterThanOrEqual(looks)
      expect(counted).toBeLessThanOrEqual(looks + 4)
      // Each version has its text, and differs from the one before it.
      for (const { version } of versions.slice(0, -1)) {
        const { diff } = await engine.changes.diff({ url, from: version - 1, to: version })
        expect(diff.text).toContain('+It costs EUR')
      }
    }
  } finally {
    await engine.close()
    await store.close()
    rmSync(folder, { recursive: true })
  }
})
