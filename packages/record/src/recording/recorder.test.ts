import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { filesToWrite, readLimits, readSecrets } from '../options.ts'
import { redactionOf } from '@harvestman/toolbox/redaction'
import { openRecorder } from './recorder.ts'

const openFiles = '/proc/self/fd'

/** Returns the open files of this process in a folder. */
function openIn(folder: string): readonly string[] {
  return readdirSync(openFiles).flatMap((name) => {
    try {
      const path = readlinkSync(join(openFiles, name))
      return path.startsWith(folder) ? [path] : []
    } catch {
      return []
    }
  })
}

test.skipIf(!existsSync(openFiles))(
  'a record whose second file cannot be opened leaves the first one closed',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'harvestman-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const files = filesToWrite(join(folder, 'all.warc.gz'))
    mkdirSync(files.rest)
    const settings = { redaction: redactionOf(readSecrets(undefined)), limits: readLimits(undefined), isNew: true }
    await expect(openRecorder({ files, ...settings, warn: () => undefined })).rejects.toMatchObject({
      code: 'store_failed',
    })
    expect(openIn(folder)).toEqual([])
  },
)
