// The description of the API, read by a public validator; every example in it is sent to a real server.
import { answers } from '@harvestman/answers'
import { routesOf } from '@harvestman/http'
import { ownFeatures } from '@harvestman/node/configuration'
import { scriptedLLM, scriptedSearch } from '@harvestman/testing'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'

import { askServer, openHouse } from './bench.ts'

const routes = routesOf(answers.jobs, ownFeatures)

const house = openHouse('key-one', { llm: scriptedLLM([{ value: {} }]), search: scriptedSearch({ web: [] }) })

async function description(): Promise<Record<string, unknown>> {
  return (await (await fetch(`${house.server.url}/openapi.json`)).json()) as Record<string, unknown>
}

test('the description is valid OpenAPI 3.1, and every reference in it leads somewhere', async () => {
  const document = await description()
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result).toMatchObject({ valid: true })
  expect(validator.version).toBe('3.1')
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to)
  expect(references.length).toBeGreaterThan(10)
  for (const reference of new Set(references)) {
    const found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
    expect({ reference, found: typeof found }).toEqual({ reference, found: 'object' })
  }
})

const ofPlugins: ReadonlySet<string> = new Set(['monitor', 'datasets', 'extractors', 'scripts'])

describe('The example of a row', () => {
  // Those that need a port, a plugin, or the key of an operator, are sent where these are tested.
  const shown = routes.filter(
    ({ example, needs, version, group }) =>
      example !== undefined && needs.length === 0 && version !== undefined && !ofPlugins.has(group),
  )

  test.each(shown.filter(({ takesFile }) => takesFile).map(({ path, example }) => [path, example] as const))(
    '%s is carried out, with a file',
    async (path, example) => {
      const form = new FormData()
      form.append('file', new Blob(['<main><h1>A file</h1></main>']), 'file.html')
      form.append('options', JSON.stringify(example))
      const init = { method: 'POST', body: form, headers: { authorization: 'Bearer key-one' } }
      const response = await fetch(house.server.url + path, init)
      expect(await response.json()).toMatchObject({ success: true, data: { markdown: '# A file' } })
    },
  )

  const asked = shown.filter(({ takesFile }) => !takesFile)
  test.each(asked.map(({ path, example }) => [path, example] as const))('%s is carried out', async (path, example) => {
    const body: unknown = JSON.parse(JSON.stringify(example).replaceAll('https://example.com', house.at('/crawl')))
    expect(await askServer(house, 'POST', path, { body })).toMatchObject({ status: 200, body: { success: true } })
  })
})
