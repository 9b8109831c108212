import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { blobsContract } from '@harvestman/testing'
import { describe, onTestFinished, test } from 'vitest'

import { fileBlobs, memoryBlobs, memoryStore } from '@harvestman/embedded'
import { blobsInStore } from '../../src/blobs/in-store.ts'

describe('memoryBlobs keeps the contract', () => {
  for (const { name, run } of blobsContract) test(name, () => run(memoryBlobs))
})

describe('blobsInStore keeps the contract', () => {
  for (const { name, run } of blobsContract) test(name, () => run(({ clock }) => blobsInStore(memoryStore({ clock }))))
})

describe('fileBlobs keeps the contract', () => {
  for (const { name, run } of blobsContract)
    test(name, () => {
      const folder = mkdtempSync(join(tmpdir(), 'harvestman-blobs-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      return run(({ clock }) => fileBlobs(join(folder, 'inner'), { clock }))
    })
})
