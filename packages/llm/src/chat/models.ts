import { errorMessage } from '@harvestman/toolbox/error-message'
import { parseJson } from '@harvestman/toolbox/parse-json'
import { languageModel, modelNotConfigured, modelUnavailable } from '../faults.ts'
import type { Endpoint } from './endpoint.ts'

const maxBytes = 2_000_000

/**
 * Returns a function that resolves the model's name: the configured one, which is not checked, or the only model of the
 * endpoint, fetched once. It rejects with `not_configured` if the endpoint does not list exactly one model, and with
 * `model_unavailable` if it cannot be reached. A failed request is repeated at the next call. `timeout` is in milliseconds.
 */
export function findModel(
  configured: string | undefined,
  endpoint: Endpoint,
  timeout: number,
): (signal: AbortSignal) => Promise<string> {
  let found: string | undefined = configured
  return async (signal) => {
    found ??= await onlyModel(endpoint, timeout, signal)
    return found
  }
}

async function onlyModel(endpoint: Endpoint, timeout: number, signal: AbortSignal): Promise<string> {
  const names = await listModels(endpoint, timeout, signal)
  const [only] = names
  if (names.length === 1 && only !== undefined) return only
  const known = names.length > 0 ? ` It has ${names.slice(0, 8).join(', ')}${names.length > 8 ? ', …' : ''}.` : ''
  throw modelNotConfigured(languageModel, `Set the name of a model of ${endpoint.models.origin}.${known}`)
}

async function listModels(endpoint: Endpoint, timeout: number, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const response = await fetch(endpoint.models, {
      headers: endpoint.headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    })
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true })
      if (text.length > maxBytes) return []
    }
    return response.ok ? namesIn(text) : []
  } catch (error) {
    signal.throwIfAborted()
    const cause = new Error(endpoint.hide(errorMessage(error)))
    throw modelUnavailable('connection', `The language model at ${endpoint.models.origin} could not be reached.`, cause)
  }
}

function namesIn(text: string): readonly string[] {
  const data: unknown = Reflect.get(Object(parseJson(text)), 'data')
  if (!Array.isArray(data)) return []
  return data.map((model: unknown): unknown => Reflect.get(Object(model), 'id')).filter((id) => typeof id === 'string')
}
