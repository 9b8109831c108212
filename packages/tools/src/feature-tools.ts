// Tools for the server's feature endpoints that are offered to models.
import { ours, truncateToBudget, type Answer } from './answer.ts'
import { defaultResponseTokens } from './budget.ts'
import type { DescribedTool } from './tool.ts'
import type { ApiMethod, WebApi } from './web-api.ts'

interface ListedEndpoint {
  readonly name: string
  readonly method: ApiMethod
  readonly path: string
  readonly summary: string
  readonly params: readonly string[]
  /** JSON Schema of an object; `null` without input. */
  readonly input: Readonly<Record<string, unknown>> | null
  readonly result: 'data' | 'flat' | 'whole' | 'file' | 'none'
  readonly property: string
  readonly isRead: boolean
  readonly isTool: boolean
}

interface ListedFeature {
  readonly name: string
  readonly endpoints: readonly ListedEndpoint[]
}

/**
 * Returns the tools of the server's features; none if the server does not list features, or does not respond within 5 seconds.
 */
export async function featureTools(api: WebApi): Promise<readonly DescribedTool[]> {
  try {
    const { features = [] } = await api.get<{ features?: readonly ListedFeature[] }>(
      '/v2/features',
      AbortSignal.timeout(5_000),
    )
    return features.flatMap(({ name, endpoints }) =>
      endpoints.filter(({ isTool }) => isTool).map((endpoint) => toolOf(name, endpoint)),
    )
  } catch {
    return []
  }
}

function toolOf(feature: string, endpoint: ListedEndpoint): DescribedTool {
  const { name, method, summary, params, isRead } = endpoint
  const tool = snake(`${feature}_${name}`)
  return {
    name: tool,
    title: summary.replace(/\.$/, ''),
    description: summary,
    isReadOnly: isRead,
    isDestructive: method === 'DELETE',
    described: describedInput(endpoint),
    run: async (given, { api, signal }) => {
      const input = { ...given } as Record<string, unknown>
      const path = params.reduce((at, name) => {
        const value = String(input[name])
        delete input[name]
        return at.replace(`{${name}}`, encodeURIComponent(value))
      }, endpoint.path)
      const isQuery = method === 'GET' || method === 'DELETE'
      const answer = await api.call<Readonly<Record<string, unknown>>>(
        method,
        isQuery ? path + queryOf(input) : path,
        isQuery ? undefined : input,
        signal,
      )
      return resultOf(endpoint, tool, answer)
    },
  }
}

/** Merges path parameters and input into the schema of one object. */
function describedInput({ params, input }: ListedEndpoint): Readonly<Record<string, unknown>> {
  const { properties = {}, required = [], ...rest } = input ?? {}
  const ids = Object.fromEntries(params.map((name) => [name, { type: 'string' }]))
  return {
    ...rest,
    type: 'object',
    properties: { ...ids, ...(properties as object) },
    required: [...params, ...(required as string[])],
  }
}

function resultOf(
  { result, property, summary }: ListedEndpoint,
  tool: string,
  answer: Readonly<Record<string, unknown>>,
): Answer {
  if (result === 'none') return [ours(`Done: ${summary}`)]
  const value = result === 'flat' || result === 'whole' ? answer : answer[property]
  const text = JSON.stringify(value, null, 2) ?? ''
  return truncateToBudget(text, tool, defaultResponseTokens, 0, () => `${tool} with a smaller limit`)
}

function queryOf(input: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]))
  return entries.length === 0 ? '' : `?${query.toString()}`
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
