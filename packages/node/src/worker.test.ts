import { expect, test } from 'vitest'

import { readConfig } from './config.ts'
import { openWorker } from './serving.ts'

async function asked(env: Readonly<Record<string, string>>, key?: string) {
  const { config } = readConfig({
    env: { HARVESTMAN_PORT: '0', HARVESTMAN_STORE: 'memory:', HARVESTMAN_LOG: 'silent', ...env },
  })
  await using worker = await openWorker(config)
  const statuses: Record<string, number> = {}
  let metrics = ''
  for (const path of ['/health/live', '/health/ready', '/metrics', '/v2/scrape', '/metricsx']) {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const answer = await fetch(`http://127.0.0.1:${worker.port}${path}`, { headers })
    statuses[path] = answer.status
    const text = await answer.text()
    if (path === '/metrics') metrics = text
  }
  return { statuses, metrics }
}

const probes = { '/health/live': 200, '/health/ready': 200, '/v2/scrape': 404, '/metricsx': 404 }

test('a worker that only this machine reaches answers probes and counts what it does, and nothing else', async () => {
  const { statuses, metrics } = await asked({})
  expect(statuses).toEqual({ ...probes, '/metrics': 200 })
  expect(metrics).toMatch(/^harvestman_places 32$/m)
  expect(metrics).toMatch(/^harvestman_load 0$/m)
  expect(metrics).toMatch(/^harvestman_jobs_open 0$/m)
})

test('one that others reach tells them how it is, and what it does only for the admin key', async () => {
  const open = { HARVESTMAN_HOST: '0.0.0.0' }
  expect((await asked(open)).statuses).toEqual({ ...probes, '/metrics': 401 })
  const keyed = { ...open, HARVESTMAN_ADMIN_KEY: 'operator-key' }
  expect((await asked(keyed)).statuses).toEqual({ ...probes, '/metrics': 401 })
  expect((await asked(keyed, 'operator-key')).statuses).toEqual({ ...probes, '/metrics': 200 })
})
