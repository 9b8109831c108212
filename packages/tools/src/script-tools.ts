// Tools for scripts of the server: recordings of live browsers that can run again with other values.
import { z } from 'zod'

import { fromPage, ours, truncateToBudget, type Answer } from './answer.ts'
import { maxTokens } from './page-tools.ts'
import { defineTool } from './tool.ts'

interface Parameter {
  readonly type: string
  readonly secret?: boolean
}

interface Listed {
  readonly name: string
  readonly version: number
  readonly steps: number
  readonly start: string
  readonly parameters: Readonly<Record<string, Parameter>>
}

interface Ran {
  readonly version: number
  readonly repairedTo?: number
  readonly url: string
  readonly steps: readonly {
    readonly step: number
    readonly action: string
    readonly outcome: string
    readonly element?: string
    readonly note?: string
  }[]
}

const path = '/v2/scripts'
const needs = { ports: ['sessions'], endpoints: ['script'] }

export const scripts = defineTool({
  name: 'scripts',
  needs,
  title: 'List scripts',
  description: 'Lists the scripts recorded in live browsers, with their parameters. Run one with run_script.',
  input: z.object({
    offset: z.int().min(0).default(0).describe('Where to continue, from the last result.'),
    maxTokens,
  }),
  run: async ({ offset, maxTokens }, { api, signal }) => {
    const { data } = await api.get<{ data: readonly Listed[] }>(path, signal)
    if (data.length === 0) return [ours('There are no scripts yet.')]
    const text = data.map(lineOf).join('\n')
    return truncateToBudget(text, 'scripts', maxTokens, offset, (next) => `scripts {"offset": ${next}}`)
  },
})

function lineOf({ name, version, steps, start, parameters }: Listed): string {
  const described = Object.entries(parameters).map(
    ([key, { type, secret }]) => `${key} (${secret ? 'secret ' : ''}${type})`,
  )
  const needs = described.length === 0 ? 'takes nothing' : `takes ${described.join(', ')}`
  return `- ${name}, version ${version}, ${steps} steps from ${start}: ${needs}`
}

export const runScript = defineTool({
  name: 'run_script',
  needs,
  title: 'Run a script',
  description:
    'Runs a recorded script in a live browser. It stops at the first step that goes differently, and returns the reason. Run it again only if repeating the earlier steps does no harm.',
  isReadOnly: false,
  input: z.object({
    name: z.string().min(1).max(63).describe('The name, as scripts lists it.'),
    parameters: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .default({})
      .describe('Values by name: a string, or a list of strings.'),
    timeout: z.int().min(1).max(300).default(60).describe('Seconds.'),
  }),
  run: async ({ name, parameters, timeout }, { api, signal }) => {
    const request = { parameters, timeout: timeout * 1_000 }
    const { data } = await api.post<{ data: Ran }>(`${path}/${encodeURIComponent(name)}/run`, request, signal)
    return resultOf(data)
  },
})

function resultOf({ steps, url, repairedTo }: Ran): Answer {
  const lines = steps.map(({ step, action, element, outcome, note }) => {
    const what = element === undefined ? action : `${action} ${element}`
    return `${step}. ${what}: ${outcome}${note === undefined ? '' : ` (${note})`}`
  })
  const repaired = repairedTo === undefined ? '' : ` Steps were repaired: the script has version ${repairedTo} now.`
  return [
    ours(`All ${steps.length} steps went as recorded.${repaired}`),
    fromPage([...lines, `At ${url}`].join('\n'), url),
  ]
}
