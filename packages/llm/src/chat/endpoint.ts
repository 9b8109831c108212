import { modelNotConfigured, type ModelKind } from '../faults.ts'

export interface Endpoint {
  /** URL of the chat-completions endpoint. */
  readonly completions: URL
  readonly models: URL
  readonly embeddings: URL
  readonly headers: Readonly<Record<string, string>>
  /** Replaces the key and header values in the string with `***`, for messages and causes. */
  hide(text: string): string
}

export interface EndpointOptions {
  readonly url: string | URL
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Parses the base URL in its common forms, with or without `/v1`, `/chat/completions` or `/embeddings`. Throws `not_configured` if it is not a
 * valid HTTP URL, or has a user name or password. Secrets of up to 3 characters are not hidden.
 */
export function endpointOf({ url, key, headers = {} }: EndpointOptions, kind: ModelKind): Endpoint {
  const base = parse(url, kind)
  const path = base.pathname.replace(/\/+$/, '').replace(/\/(?:chat\/completions|embeddings)$/, '')
  // Ollama is usually given as its origin or as `/api`, the path of its own API. Its chat-completions API is under `/v1`.
  const root = path === '' || path === '/api' ? '/v1' : path
  const at = (rest: string): URL => {
    const address = new URL(base)
    address.pathname = root + rest
    return address
  }
  const secrets = [key, ...Object.values(headers)].filter((secret) => secret !== undefined && secret.length > 3)
  return {
    completions: at('/chat/completions'),
    models: at('/models'),
    embeddings: at('/embeddings'),
    headers: { ...(key !== undefined && key !== '' && { authorization: `Bearer ${key}` }), ...headers },
    hide: (text) => secrets.reduce<string>((rest, secret) => rest.replaceAll(secret ?? '', '***'), text),
  }
}

function parse(url: string | URL, kind: ModelKind): URL {
  const text = String(url)
  if (!URL.canParse(text)) throw modelNotConfigured(kind, badUrl)
  const base = new URL(text)
  if (base.protocol !== 'http:' && base.protocol !== 'https:') throw modelNotConfigured(kind, badUrl)
  if (base.username !== '' || base.password !== '')
    throw modelNotConfigured(kind, 'The base URL of the model must not contain a password. Pass the key as `key`.')
  base.hash = ''
  return base
}

// The URL itself is not shown: users paste keys into the wrong setting.
const badUrl =
  'The base URL of the model is not an HTTP URL. Write it as https://api.openai.com/v1 or http://localhost:11434/v1.'
