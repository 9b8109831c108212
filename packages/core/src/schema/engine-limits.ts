// The limits, retention settings and request defaults of an engine.
import { availableParallelism } from 'node:os'

import { z } from 'zod'

import { defaultBound } from '@harvestman/threads'
import { lazily } from '../lib/lazily.ts'
import { requestDefaults } from './scrape.ts'

const hour = 3_600_000
const megabyte = 1_000_000
const maxTimerDelay = 2_147_483_647

type Words = {
  readonly title: string
  readonly description: string
  readonly unit?: string
  /** Description of the default, if it depends on the host. */
  readonly defaultText?: string
}

function bytes(value: number, words: Words) {
  return z
    .int()
    .min(1)
    .meta({ ...words, unit: 'bytes' })
    .default(value)
}

function milliseconds(value: number, least: number, words: Words) {
  return z
    .int()
    .min(least)
    .meta({ ...words, unit: 'ms' })
    .default(value)
}

function count(value: () => number, words: Words) {
  return z.int().min(1).max(100_000).meta(words).default(value)
}

/** Limits of an engine. */
export const limitsSchema = lazily(() =>
  z.strictObject({
    bodyBytes: bytes(50 * megabyte, {
      title: 'Largest body',
      description: 'The largest response body, decompressed.',
    }),
    pageBytes: bytes(20 * megabyte, {
      title: 'Largest page',
      description: 'Maximum size of a page that is parsed.',
    }),
    documentBytes: bytes(defaultBound.bytes, {
      title: 'Largest document',
      description: 'Maximum size of a document as JSON. A format whose value would exceed it fails.',
    }),
    documentValues: z
      .int()
      .min(1)
      .meta({
        title: 'Values of a document',
        description: 'Maximum number of strings, numbers, arrays and objects in one document.',
      })
      .default(defaultBound.values),
    readTime: z
      .int()
      .min(1)
      .max(maxTimerDelay)
      .meta({
        title: 'Time to read a page',
        description: 'CPU time to read one page. The wall-clock limit is six times as long.',
        unit: 'ms',
      })
      .default(10_000),
    inlineBytes: z
      .int()
      .min(0)
      .meta({
        title: 'Read in place',
        description:
          'Pages up to this size are read on the calling thread if they have at most 6,000 tags, or 3,000 if the main content is extracted. 0 reads all pages in threads.',
        unit: 'bytes',
      })
      .default(128_000),
    readers: count(() => Math.max(1, availableParallelism() - 1), {
      title: 'Reading threads',
      description: 'Number of threads that read larger pages.',
      defaultText: 'one fewer than the cores, at least 1',
    }),
    readMegabytes: z
      .int()
      .min(16)
      .meta({ title: 'Memory to read a page', description: 'Maximum memory to read one page.', unit: 'MB' })
      .default(2_048),
    concurrency: count(() => 32, {
      title: 'Pages at once',
      description:
        'Maximum number of pages that all jobs together load at once. A quarter more is reserved for teams with few running pages.',
    }),
    hostConcurrency: count(() => 32, {
      title: 'Pages at once for a host',
      description:
        'Maximum number of pages that all jobs load at once from one host, in all processes on one store together. Set the same value in all processes. A host with a `Crawl-delay` gets one page at a time.',
    }),
    teamConcurrency: z
      .int()
      .min(1)
      .max(100_000)
      .meta({
        title: 'Pages at once for a team',
        description:
          'Maximum number of pages that the jobs of one team load at once, in all processes on one store together. Default: no limit.',
      })
      .optional(),
    leaseTime: z
      .int()
      .min(100)
      .max(24 * hour)
      .meta({
        title: 'Time to take over a job',
        description: 'How long an engine waits before it takes over a job whose engine does not respond.',
        unit: 'ms',
      })
      .default(15_000),
  }),
)

/** Default memory limit for results and uploaded files, in bytes. */
export const storeInMemoryBytes = 256 * megabyte

/** Default memory limit for jobs and their documents, in bytes. */
export const jobsInMemoryBytes = 512 * megabyte

/** Retention settings of the engine. */
export const keepSchema = lazily(() =>
  z.strictObject({
    results: milliseconds(24 * hour, 0, {
      title: 'Results',
      description: 'How long a result can be read by its id.',
    }),
    jobs: milliseconds(24 * hour, 0, {
      title: 'Jobs',
      description: 'How long a job and its pages are stored.',
    }),
    files: milliseconds(24 * hour, 0, {
      title: 'Files',
      description: 'How long screenshots and PDFs are stored.',
    }),
    pages: milliseconds(7 * 24 * hour, 0, {
      title: 'Pages',
      description: 'How long a page stays in the cache for requests with `maxAge`.',
    }),
    changes: milliseconds(90 * 24 * hour, 0, {
      title: 'Histories of pages',
      description: 'How long the history of a page (`changeTracking`) is stored after its last scrape.',
    }),
    versions: z
      .int()
      .min(1)
      .max(1_000)
      .meta({ title: 'Versions', description: 'Maximum number of versions in the history of a page.' })
      .default(50),
    hosts: milliseconds(24 * hour, 0, {
      title: 'Hosts that need a browser',
      description: 'How long the engine remembers that a host needs the browser. 0 turns this off.',
    }),
    plugins: milliseconds(365 * 24 * hour, 0, {
      title: 'What plugins keep',
      description: 'Maximum time that a value of a plugin is stored.',
    }),
    filesFrom: z
      .int()
      .min(1)
      .meta({
        title: 'Documents in files',
        description:
          'Documents and cached pages whose compressed size is at least this are stored as files, with a reference in the store. All processes must have access to the files. Default: 65536 on S3, otherwise never.',
        unit: 'bytes',
      })
      .optional(),
    memory: z
      .int()
      .min(0)
      .meta({
        title: 'Memory',
        description:
          'Memory for cached pages if there is no store. Files may use the same amount in addition, responses made from cached pages a quarter of it, and job documents that are read repeatedly half of it.',
        unit: 'bytes',
      })
      .default(32 * megabyte),
    storeBytes: z
      .int()
      .min(0)
      .meta({
        title: 'Store in memory',
        description:
          'Memory for results and uploaded files if there is no store. The oldest are removed first. Credits and histories do not count, and are never removed.',
        unit: 'bytes',
      })
      .default(storeInMemoryBytes),
    jobBytes: z
      .int()
      .min(0)
      .meta({
        title: 'Jobs in memory',
        description:
          'Memory for jobs if there is no store. When it is full, the oldest finished jobs are removed first, then the largest running job is ended.',
        unit: 'bytes',
      })
      .default(jobsInMemoryBytes),
  }),
)

/** Defaults of requests. */
export const defaultsSchema = lazily(() =>
  z.strictObject({
    maxAge: milliseconds(requestDefaults.maxAge, 0, {
      title: 'Age of copies',
      description: 'The default `maxAge` of requests.',
    }),
    timeout: z
      .int()
      .min(1_000)
      .max(300_000)
      .meta({ title: 'Timeout', description: 'The default `timeout` of requests.', unit: 'ms' })
      .default(requestDefaults.timeout),
  }),
)

export type EngineLimits = z.output<ReturnType<typeof limitsSchema>>
export type EngineKeeping = z.output<ReturnType<typeof keepSchema>>
