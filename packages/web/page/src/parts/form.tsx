import { useState } from 'preact/hooks'

import type { Description, Field, Schema } from '../lib/schema.ts'
import { fieldsOf } from '../lib/schema.ts'

export type Values = Readonly<Record<string, unknown>>

export interface FormProps {
  readonly schema: Schema
  readonly description: Description
  /** What was changed; everything else stays as the server has it. */
  readonly values: Values
  readonly change: (values: Values) => void
}

const otherGroup = 'Options'

/** A form for every option of a request, made from its schema. */
export function Form({ schema, description, values, change }: FormProps) {
  const [wanted, setWanted] = useState('')
  const fields = fieldsOf(schema, description)
  const groups = Map.groupBy(fields, (field) => field.schema.group ?? groupOf(field.name))
  const word = wanted.trim().toLowerCase()
  const matches = ({ name, label, schema }: Field): boolean =>
    `${name} ${label} ${schema.description ?? ''}`.toLowerCase().includes(word)
  const set = (name: string, value: unknown): void => {
    const { [name]: _, ...rest } = values
    change(value === undefined ? rest : { ...rest, [name]: value })
  }
  return (
    <div>
      <div class="fields pad">
        <input
          type="text"
          placeholder="Find an option"
          aria-label="Find an option"
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      </div>
      {[...groups].map(([group, all]) => {
        const found = all.filter(matches)
        if (found.length === 0) return null
        const changed = all.filter(({ name }) => name in values).length
        return (
          <details class="group" key={group} open={word !== '' || changed > 0}>
            <summary>
              {group} {changed > 0 && <span class="muted small">· {changed} set</span>}
            </summary>
            <div class="fields">
              {found.map((field) => (
                <Input
                  key={field.name}
                  field={field}
                  value={values[field.name]}
                  set={(value) => set(field.name, value)}
                />
              ))}
            </div>
          </details>
        )
      })}
    </div>
  )
}

// Where the schema names no group.
const groups: Readonly<Record<string, readonly string[]>> = {
  Content: [
    'onlyMainContent',
    'includeTags',
    'excludeTags',
    'removeBase64Images',
    'parsers',
    'parsePDF',
    'jsonOptions',
    'changeTrackingOptions',
  ],
  Browser: ['waitFor', 'mobile', 'actions', 'blockAds', 'location'],
  Network: ['headers', 'proxy', 'timeout', 'skipTlsVerification'],
  'Cache and privacy': ['maxAge', 'minAge', 'storeInCache', 'zeroDataRetention'],
  'Which pages': [
    'limit',
    'includePaths',
    'excludePaths',
    'maxDepth',
    'maxDiscoveryDepth',
    'crawlEntireDomain',
    'allowExternalLinks',
    'allowSubdomains',
    'sitemap',
    'ignoreQueryParameters',
    'search',
    'includeSubdomains',
    'deduplicateSimilarURLs',
  ],
}

function groupOf(name: string): string {
  return Object.entries(groups).find(([, names]) => names.includes(name))?.[0] ?? otherGroup
}

interface InputProps {
  readonly field: Field
  readonly value: unknown
  readonly set: (value: unknown) => void
}

function Input(props: InputProps) {
  const { field, value, set } = props
  const { name, label, schema } = field
  const id = `option-${name}`
  const isChanged = value !== undefined
  return (
    <div class="field">
      <label for={id} class={isChanged ? 'changed' : undefined}>
        {field.kind === 'boolean' && <BooleanInput {...props} id={id} />}
        {label}
        {isChanged && (
          <button type="button" class="plain small" onClick={() => set(undefined)} aria-label={`Reset ${label}`}>
            Reset
          </button>
        )}
      </label>
      {field.kind !== 'boolean' && <ValueInput {...props} id={id} />}
      {schema.description && <p class="hint">{schema.description}</p>}
    </div>
  )
}

type WithId = InputProps & { readonly id: string }

function BooleanInput({ field, value, set, id }: WithId) {
  const usual = field.schema.default === true
  const isOn = value === undefined ? usual : value === true
  return (
    <input
      id={id}
      type="checkbox"
      checked={isOn}
      onChange={(event) => set(event.currentTarget.checked === usual ? undefined : event.currentTarget.checked)}
    />
  )
}

function ValueInput(props: WithId) {
  const { field, value, set, id } = props
  const { schema } = field
  switch (field.kind) {
    case 'integer':
      return (
        <span class="with-unit">
          <input
            id={id}
            type="number"
            min={schema.minimum}
            max={schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum}
            placeholder={usual(schema)}
            value={typeof value === 'number' ? value : ''}
            onInput={(event) => set(event.currentTarget.value === '' ? undefined : event.currentTarget.valueAsNumber)}
          />
          {schema.unit && <span class="muted small">{schema.unit}</span>}
        </span>
      )
    case 'choice':
      return (
        <select
          id={id}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => set(event.currentTarget.value || undefined)}
        >
          <option value="">{usual(schema) || 'as usual'}</option>
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )
    case 'strings':
      return <LinesInput {...props} />
    case 'text':
      return (
        <input
          id={id}
          type="text"
          placeholder={usual(schema)}
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => set(event.currentTarget.value || undefined)}
        />
      )
    default:
      return <JsonInput {...props} />
  }
}

function LinesInput({ value, set, id }: WithId) {
  const lines = Array.isArray(value) ? value.join('\n') : ''
  return (
    <textarea
      id={id}
      class="code"
      rows={2}
      placeholder="one a line"
      value={lines}
      onChange={(event) => {
        const list = event.currentTarget.value
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean)
        set(list.length > 0 ? list : undefined)
      }}
    />
  )
}

function JsonInput({ value, set, id }: WithId) {
  const [fault, setFault] = useState<string | undefined>()
  return (
    <>
      <textarea
        id={id}
        class="code"
        rows={3}
        placeholder="JSON"
        aria-invalid={fault !== undefined}
        value={value === undefined ? '' : JSON.stringify(value, null, 2)}
        onChange={(event) => {
          const text = event.currentTarget.value.trim()
          if (text === '') return set(undefined)
          try {
            set(JSON.parse(text))
            setFault(undefined)
          } catch {
            setFault('This is not JSON yet. Check its commas and quotes.')
          }
        }}
      />
      {fault && <span class="small error">{fault}</span>}
    </>
  )
}

function usual({ default: value }: Schema): string {
  return value === undefined || typeof value === 'object' ? '' : JSON.stringify(value)
}
