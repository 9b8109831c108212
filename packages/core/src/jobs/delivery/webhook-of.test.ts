import { expect, test } from 'vitest'

import { defaultWebhook, exampleId, webhookOf } from './webhook-of.ts'

test('The default webhook of jobs may have the id of the job in its host', () => {
  const kit = { webhook: 'https://{{JOB_ID}}.hooks.example.com/' }
  expect(webhookOf({ id: exampleId, kind: 'crawl', request: {} }, kit)?.url).toBe(
    `https://${exampleId}.hooks.example.com/`,
  )
})

test('A default webhook that is invalid with the id of a job is an invalid request that states the problem', () => {
  const template = `https://example.com/{{JOB_ID}}/${'x'.repeat(9_000)}`
  expect(() => defaultWebhook(template, exampleId)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})
