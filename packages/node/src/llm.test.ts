import { startChatServer } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { readConfig, type Environment } from './config.ts'
import { examine } from './doctor.ts'
import { endpointOf } from './llm.ts'

const endpointIn = (env: Environment) => endpointOf(readConfig({ env }).config)

describe('the endpoint of the language model', () => {
  test.each<[Environment, object | undefined]>([
    [{}, undefined],
    [{ OPENAI_API_KEY: 'k' }, { url: 'https://api.openai.com/v1', key: 'k' }],
    [
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://a.test/v1' },
      { url: 'http://a.test/v1', key: 'k' },
    ],
    [{ OPENAI_BASE_URL: 'http://a.test/v1' }, { url: 'http://a.test/v1' }],
    [{ OPENAI_API_KEY: 'k', OLLAMA_BASE_URL: 'http://localhost:11434/api' }, { url: 'http://localhost:11434/api' }],
    [{ HARVESTMAN_LLM_URL: 'http://b.test', OPENAI_BASE_URL: 'http://a.test' }, { url: 'http://b.test' }],
  ])('%j is %j', (env, endpoint) => {
    expect(endpointIn(env)).toEqual(endpoint)
  })

  test('a key in place of the address is refused and not shown', () => {
    expect(() => endpointIn({ OPENAI_BASE_URL: 'sk-secret' })).toThrow(/llmUrl is not a URL.*from OPENAI_BASE_URL/)
    expect(() => endpointIn({ OPENAI_BASE_URL: 'sk-secret' })).not.toThrow(/sk-secret/)
  })
})

describe('the doctor', () => {
  const modelFinding = async (env: Environment) =>
    (await examine({ env: { HARVESTMAN_PORT: '0', ...env } })).find(({ name }) => name === 'model')

  test('asks the model once, and shows what it says', { tags: ['long'] }, async () => {
    const server = await startChatServer({ replies: [{ value: { color: 'green', legs: 8 } }], models: ['tiny'] })
    try {
      expect(await modelFinding({ OPENAI_BASE_URL: server.url })).toMatchObject({
        state: 'good',
        message: expect.stringContaining('{"color":"green","legs":8}') as string,
      })
      expect(server.requests).toHaveLength(1)
    } finally {
      await server.close()
    }
  })

  test('says what is wrong with the model, and how to mend it', { tags: ['long'] }, async () => {
    const server = await startChatServer({ replies: [], key: 'right' })
    try {
      const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'wrong', MODEL_NAME: 'm' }
      const finding = await modelFinding(env)
      expect(finding).toMatchObject({
        state: 'missing',
        message: expect.stringContaining('does not accept the key') as string,
      })
      expect(JSON.stringify(finding)).not.toContain('wrong')
    } finally {
      await server.close()
    }
  })

  test('says how to give one when there is none', { tags: ['long'] }, async () => {
    expect((await modelFinding({}))?.fix).toContain('OLLAMA_BASE_URL')
  })
})
