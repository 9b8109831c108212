import { misconfigured } from '../faults.ts'

export interface Endpoint {
  /** Where questions are sent. */
  readonly completions: URL
  readonly models: URL
  readonly headers: Readonly<Record<string, string>>
  /** A text without the key, for messages and causes. */
  hide(text: string): string
}

export interface EndpointOptions {
  readonly url: string | URL
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Reads the base URL in the forms that people write it. */
export function endpointOf({ url, key, headers = {} }: EndpointOptions): Endpoint {
  const base = parse(url)
  const path = base.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  // Ollama is named by its origin, or by the path of its own API; what speaks chat-completions is beside it.
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
    headers: { ...(key !== undefined && key !== '' && { authorization: `Bearer ${key}` }), ...headers },
    hide: (text) => secrets.reduce<string>((rest, secret) => rest.replaceAll(secret ?? '', '***'), text),
  }
}

function parse(url: string | URL): URL {
  const text = String(url)
  if (!URL.canParse(text)) throw misconfigured(badUrl)
  const base = new URL(text)
  if (base.protocol !== 'http:' && base.protocol !== 'https:') throw misconfigured(badUrl)
  if (base.username !== '' || base.password !== '')
    throw misconfigured('The base URL of the language model must not hold a password. Give the key by itself.')
  base.hash = ''
  return base
}

// The address itself is not shown: keys end up in the wrong setting.
const badUrl =
  'The base URL of the language model is not an address. Write it as https://api.openai.com/v1 or http://localhost:11434/v1.'
