import { EngineError } from '@harvestman/core'

// Labels and hints that clients of the public API send: nothing that is asked for depends on them.
const labels = [
  'origin',
  'integration',
  'auditMetadata',
  'domainTools',
  'fastMode',
  'toolDetail',
  'useMock',
  '__experimental_cache',
  '__experimental_omce',
  '__experimental_omceDomain',
  '__searchPreviewToken',
]

// These promise something about the result. Dropping one in silence would break the promise, so only "no" is taken.
const promises = ['agent', 'lockdown', 'onlyCleanContent', 'profile', 'redactPII', 'safeMode', 'threatProtection']

/** Keys that every JSON body may have beside those of its schema. */
export const clientKeys: ReadonlySet<string> = new Set([...labels, ...promises])

/** Takes out of a body what clients of the public API add to it. What the schema of the body knows stays. */
export function withoutClientKeys(body: unknown, known: ReadonlySet<string>): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  if (!Object.keys(body).some((key) => clientKeys.has(key))) return body
  const rest: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(body)) {
    if (known.has(key) || !clientKeys.has(key)) rest[key] = value
    else if (promises.includes(key) && !isNo(value)) throw notOffered(key)
  }
  return rest
}

function isNo(value: unknown): boolean {
  return value === false || value === null || (typeof value === 'object' && 'mode' in value && value.mode === 'off')
}

function notOffered(key: string): EngineError {
  const message = `${key} asks for something that this server cannot do; remove it.`
  return new EngineError('not_configured', message, { details: { because: `The option ${key}` } })
}
