import { useEffect, useState } from 'preact/hooks'

import { refusalOf, type Refusal } from '../lib/api.ts'
import { describe, type Description, type Operation, type Schema } from '../lib/schema.ts'
import { Notice } from '../parts/notice.tsx'
import { Empty, Heading, Words } from '../parts/pieces.tsx'

/** Lists every endpoint of this server, including the formats and actions of its plugins. */
export function ApiView() {
  const [description, setDescription] = useState<Description | undefined>()
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const [word, setWord] = useState('')
  useEffect(() => void describe().then(setDescription, (error: unknown) => setRefusal(refusalOf(error))), [])
  const rows = description ? rowsOf(description) : []
  const found = rows.filter(
    ({ method, path, operation }) =>
      !operation.tags?.includes('out of scope') &&
      `${method} ${path} ${operation.summary ?? ''}`.toLowerCase().includes(word.toLowerCase()),
  )
  return (
    <>
      <Heading>API</Heading>
      {refusal && <Notice refusal={refusal} />}
      <div class="bar">
        <span class="grow">
          <input
            type="text"
            aria-label="Find an endpoint"
            placeholder="Find an endpoint"
            value={word}
            onInput={(event) => setWord(event.currentTarget.value)}
          />
        </span>
        <a class="button" href="openapi.json">
          openapi.json
        </a>
      </div>
      {description && found.length === 0 && <Empty>No endpoint matches this filter.</Empty>}
      <div class="card">
        {description &&
          found.map(({ method, path, operation }) => (
            <details class="group endpoint" key={`${method} ${path}`}>
              <summary>
                <span class="method">{method.toUpperCase()}</span> <span class="mono break">{path}</span>{' '}
                <span class="muted small">
                  <Words text={operation.summary ?? ''} />
                </span>
              </summary>
              <div class="fields">
                <Parameters operation={operation} />
                <Body operation={operation} />
                <Responses operation={operation} />
              </div>
            </details>
          ))}
      </div>
    </>
  )
}

interface Row {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

function rowsOf({ paths }: Description): readonly Row[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
}

function Parameters({ operation: { parameters = [] } }: { readonly operation: Operation }) {
  if (parameters.length === 0) return null
  return (
    <table class="plain">
      <tbody>
        {parameters.map(({ name, in: where, schema, description }) => (
          <tr key={name}>
            <th class="mono">{name}</th>
            <td>{where}</td>
            <td>
              {schema && typeOf(schema)} {description}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Body({ operation }: { readonly operation: Operation }) {
  const schema = operation.requestBody?.content['application/json']?.schema
  if (!schema) return null
  return (
    <table class="plain">
      <tbody>
        {Object.entries(schema.properties ?? {})
          .filter(([, field]) => !field.deprecated)
          .map(([name, field]) => (
            <tr key={name}>
              <th class="mono">
                {name}
                {schema.required?.includes(name) && ' *'}
              </th>
              <td class="mono">{typeOf(field)}</td>
              <td>
                <Words text={field.description ?? ''} />{' '}
                {field.default !== undefined && <span class="muted">default {JSON.stringify(field.default)}</span>}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

function Responses({ operation: { responses = {} } }: { readonly operation: Operation }) {
  return (
    <p class="small muted">
      {Object.entries(responses)
        .map(([status, { description }]) => `${status}: ${description ?? ''}`)
        .join(' · ')}
    </p>
  )
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`
  if (schema.anyOf ?? schema.oneOf) return 'one of several'
  return String(schema.type ?? 'anything')
}
