// The files of docs/deploy are held against what the command and the API have; no engine for containers is needed.
import { existsSync, readFileSync, readdirSync } from 'node:fs'

import { answers } from '@harvestman/answers'
import { routesOf } from '@harvestman/http'
import { ownFeatures } from '@harvestman/node/own-features'
import { environmentNames } from '@harvestman/node'
import { prometheus } from '@harvestman/telemetry'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'

const routes = routesOf(answers.jobs, ownFeatures)

const folder = new URL('../../docs/deploy/', import.meta.url)
const textOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8')
const files = readdirSync(folder)
const yamls = files.filter((file) => file.endsWith('.yaml'))
const known = new Set(Object.values(environmentNames).flat())

type Tree = { readonly [key: string]: Tree } & readonly Tree[]

const documentsOf = (file: string): readonly Tree[] =>
  parseAllDocuments(textOf(file), { merge: true }).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as Tree
  })

/** Every value under a name, anywhere in a tree. */
function all(tree: unknown, name: string): unknown[] {
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([key, value]) => [...(key === name ? [value] : []), ...all(value, name)])
}

test('there is a file for each way of running it', () => {
  expect(files.sort()).toEqual([
    'Dockerfile',
    'compose.full.yaml',
    'compose.one.yaml',
    'compose.postgres.yaml',
    'compose.redis.yaml',
    'grafana-boards.yml',
    'grafana-source.yml',
    'grafana.json',
    'harvestman.service',
    'kubernetes.redis.yaml',
    'kubernetes.yaml',
    'nginx.conf',
    'prometheus.yml',
  ])
})

const withoutSettings = new Set([
  'nginx.conf',
  'grafana.json',
  'grafana-boards.yml',
  'grafana-source.yml',
  'prometheus.yml',
])

test.each(files.filter((file) => !withoutSettings.has(file)))('%s names no setting that there is not', (file) => {
  const named = textOf(file).match(/HARVESTMAN_\w+/g) ?? []
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

describe.each(yamls)('%s', (file) => {
  const documents = documentsOf(file)
  const services = documents.flatMap((document) => [
    ...Object.values((document['services'] ?? {}) as Readonly<Record<string, Tree>>),
    ...(all(document, 'containers').flat() as Tree[]),
  ])
  const ours = services.filter(({ image }) => (image as unknown) === 'harvestman')

  test('runs commands that there are', () => {
    expect(ours.length > 0).toBe(file !== 'kubernetes.redis.yaml')
    for (const service of ours) {
      const [command, ...more] = (service['command'] ?? service['args']) as unknown as string[]
      expect(['serve', 'work']).toContain(command)
      expect(more.filter((word) => word.startsWith('--') && word !== '--port')).toEqual([])
    }
  })

  test('takes rights away, and gives the processes time to end', () => {
    const text = textOf(file)
    expect(text).toMatch(/drop: \[ALL\]|cap_drop: \[ALL\]/)
    expect(text).toMatch(/stop_grace_period: 30s|terminationGracePeriodSeconds: 30/)
    expect(text).toMatch(/readOnlyRootFilesystem: true|read_only: true/)
  })

  test('probes paths that the API has', () => {
    const paths = new Set(routes.map(({ path }) => path))
    for (const probe of all(documents, 'httpGet') as { readonly path: string }[]) expect(paths).toContain(probe.path)
  })
})

test.each(yamls.filter((file) => file.startsWith('kubernetes')))(
  'the labels that %s selects by are those of its pods, and what is scaled is there',
  (file) => {
    const documents = documentsOf(file)
    const pods = new Set(documents.flatMap((document) => all(document['spec']?.['template'], 'labels')).map(labelOf))
    const selected = documents.flatMap((document) => [...all(document, 'matchLabels'), ...all(document, 'selector')])
    for (const label of selected.map(labelOf).filter((label) => label !== undefined)) expect(pods).toContain(label)
    const names = documents.map((document) => document['metadata']?.['name'] as unknown)
    for (const target of all(documents, 'scaleTargetRef') as { readonly name: string }[])
      expect(names).toContain(target.name)
  },
)

test('the secret for a Redis has all that the other one has', () => {
  const settingsOf = (file: string) =>
    documentsOf(file).flatMap((document) => Object.keys(document['stringData'] ?? {}))
  expect(settingsOf('kubernetes.redis.yaml')).toEqual(settingsOf('kubernetes.yaml'))
})

test('processes of Kubernetes wait for their store, answer for each other, and follow a figure that there is', () => {
  const documents = documentsOf('kubernetes.yaml')
  expect(all(documents, 'startupProbe')).toHaveLength(2)
  const { peerUrl, peerSecret } = environmentNames
  for (const [name = ''] of [peerUrl, peerSecret]) expect(textOf('kubernetes.yaml')).toContain(name)
  const followed = (all(documents, 'metric') as { readonly name: string }[]).map(({ name }) => name)
  expect(followed).toEqual(['harvestman_load'])
  for (const name of followed) expect(metrics).toContain(name)
})

/** Every metric that a process gives, each part of a histogram by itself. */
const metrics = (() => {
  const { observer, render } = prometheus()
  const one = { url: 'https://a.example/', team: 'a', id: '1', at: 0, ms: 1 }
  observer({ kind: 'scrape.completed', credits: 1, ...one })
  observer({ kind: 'scrape.step', step: 'load', ...one })
  observer({ kind: 'loader.tried', loader: 'http', outcome: 'page', ...one })
  observer({ kind: 'fault', where: 'request', message: '', ...one })
  observer({ kind: 'job.taken', isTakeover: true, waited: 1, ...one })
  const text = render({ open: 1, running: 1, idleFor: 1, places: 1, taken: 1 })
  return new Set(text.match(/^[a-z_]+(?=[{ ])/gm))
})()

test('the board for Grafana asks for metrics that there are', () => {
  const board: unknown = JSON.parse(textOf('grafana.json'))
  const asked = (all(board, 'expr') as string[]).flatMap((expr) => expr.match(/\b(?:harvestman|process)_\w+/g) ?? [])
  expect(asked.length).toBeGreaterThan(15)
  expect(asked.filter((name) => !metrics.has(name))).toEqual([])
})

test('the composition with all parts connects what is there: the board, the bucket, the metrics with the admin key', () => {
  const [full] = documentsOf('compose.full.yaml')
  const { services = {}, configs = {} } = (full ?? {}) as unknown as {
    services?: Readonly<
      Record<string, { readonly configs?: readonly { readonly source: string }[]; readonly depends_on?: object }>
    >
    configs?: Readonly<Record<string, { readonly file?: string }>>
  }
  for (const { configs: used = [], depends_on = {} } of Object.values(services)) {
    for (const { source } of used) expect(Object.keys(configs)).toContain(source)
    for (const name of Object.keys(depends_on)) expect(Object.keys(services)).toContain(name)
  }
  for (const { file = '' } of Object.values(configs)) {
    expect(parseAllDocuments(textOf(file)).flatMap(({ errors }) => errors)).toEqual([])
  }
  expect(textOf('compose.full.yaml')).toContain('"$$HARVESTMAN_ADMIN_KEY" > /tmp/admin-key')
  expect(textOf('prometheus.yml')).toMatch(/\/tmp\/admin-key[^]*names: \[api, work\]/)
  const [bucket] = /s3:\/\/(\w+)/.exec(textOf('compose.full.yaml'))?.slice(1) ?? []
  expect(textOf('compose.full.yaml')).toContain(`mc mb --ignore-existing files/${bucket}`)
})

const labelOf = (labels: unknown): unknown => (labels as { readonly app?: unknown }).app

test('the image runs the command as a user without rights, behind an init, and asks after its health', () => {
  const text = textOf('Dockerfile')
  const last = text.slice(text.lastIndexOf('FROM '))
  expect(last).toMatch(/^USER 10001$/m)
  expect(last).toMatch(/ENTRYPOINT \["tini", /)
  expect(last).toContain('/health/live')
  const [, entry = ''] = /"\/app\/([^"]+)"\]/.exec(last) ?? []
  expect(existsSync(new URL(`../../${entry}`, import.meta.url))).toBe(true)
  expect(routes.map(({ path }) => path)).toContain('/health/live')
})
