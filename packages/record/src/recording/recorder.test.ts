import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

import { filesToWrite, readLimits, readSecrets } from '../options.ts'
import { redactionOf } from '@harvestman/toolbox/redaction'
import { readWarc } from '../warc/reader.ts'
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

test('an exchange with a long URL is not recorded, and the record can be read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const files = filesToWrite(join(folder, 'all.warc.gz'))
  const settings = { redaction: redactionOf(readSecrets(undefined)), limits: readLimits(undefined), isNew: true }
  const recorder = await openRecorder({ files, ...settings, warn: () => undefined })
  const [longest, tooLong] = [30_000, 30_001].map((length) => 'https://a.example/'.padEnd(length, 'a'))
  for (const url of [longest, tooLong, longest])
    recorder.exchange({
      ...{ url: url ?? '', method: 'GET', by: 'browser', order: recorder.next(), at: 0, sent: [], status: 200 },
      ...{ headers: [], answer: Buffer.from('a') },
    })
  await recorder.close()
  const urls: (string | undefined)[] = []
  for await (const { fields } of readWarc(files.warc)) urls.push(fields.get('warc-target-uri'))
  expect(urls.slice(1).map((url) => url?.length)).toEqual([30_000, 30_000, 30_000, 30_000])
})
