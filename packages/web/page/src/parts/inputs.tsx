import { useState } from 'preact/hooks'

import type { Values } from '../lib/draft.ts'
import { fieldsOf, type Field, type Schema } from '../lib/schema.ts'
import { FaultLine, useFault, type AriaOfFault } from './fault.tsx'
import { later } from './later.tsx'
import { Words } from './pieces.tsx'

const SchemaBuilder = later(async () => (await import('./schema-builder.tsx')).SchemaBuilder)

export interface InputProps {
  readonly field: Field
  readonly value: unknown
  readonly set: (value: unknown) => void
  /** Prefix of the input's id, to keep ids of equal names unique. */
  readonly within?: string
}

/** One option: its name, its description and an input for its type. */
export function Input(props: InputProps) {
  const { field, value, set, within = 'option' } = props
  const { name, label, schema } = field
  const id = `${within}-${name}`
  const isChanged = value !== undefined
  const { aria } = useFault(id)
  if (field.kind === 'object') return <ObjectInput {...props} within={id} />
  return (
    <div class="field">
      <label for={id} class={isChanged ? 'changed' : undefined}>
        {field.kind === 'boolean' && <BooleanInput {...props} id={id} aria={aria} />}
        {label}
        {field.isRequired && <span class="muted small">needed</span>}
        {isChanged && (
          <button type="button" class="plain small" onClick={() => set(undefined)} aria-label={`Reset ${label}`}>
            Reset
          </button>
        )}
      </label>
      {field.kind !== 'boolean' && <ValueInput {...props} id={id} aria={aria} />}
      <FaultLine id={id} />
      <Hint schema={schema} />
    </div>
  )
}

function Hint({ schema: { description, 'x-needs': needs } }: { readonly schema: Schema }) {
  if (!description && !needs) return null
  return (
    <p class="hint">
      {description && <Words text={description} />} {needs && <span class="needs">Needs {needs}.</span>}
    </p>
  )
}

/** An object: its fields below its name. It is only sent if a field is set. */
function ObjectInput({ field, value, set, within = '' }: InputProps) {
  const values = (value ?? {}) as Values
  const fields = fieldsOf(field.schema)
  const change = (name: string, next: unknown): void => {
    const { [name]: _, ...rest } = values
    const all = next === undefined ? rest : { ...rest, [name]: next }
    set(Object.keys(all).length > 0 ? all : undefined)
  }
  return (
    <details class="nested" open={value !== undefined}>
      <summary class={value === undefined ? undefined : 'changed'}>{field.label}</summary>
      <div class="fields">
        <Hint schema={field.schema} />
        {fields.map((one) => (
          <Input
            key={one.name}
            field={one}
            value={values[one.name]}
            set={(next) => change(one.name, next)}
            within={within}
          />
        ))}
      </div>
    </details>
  )
}

type WithId = InputProps & { readonly id: string; readonly aria: AriaOfFault }

function BooleanInput({ field, value, set, id, aria }: WithId) {
  const usual = field.schema.default === true
  const isOn = value === undefined ? usual : value === true
  return (
    <input
      {...aria}
      id={id}
      type="checkbox"
      checked={isOn}
      onChange={(event) => set(event.currentTarget.checked === usual ? undefined : event.currentTarget.checked)}
    />
  )
}

const longText = 5_000

function ValueInput(props: WithId) {
  const { field, value, set, id, aria } = props
  const { schema } = field
  switch (field.kind) {
    case 'integer':
      return (
        <span class="with-unit">
          <input
            {...aria}
            id={id}
            type="number"
            min={schema.minimum}
            max={schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum}
            placeholder={usual(schema)}
            value={typeof value === 'number' ? value : ''}
            onInput={(event) => set(event.currentTarget.value === '' ? undefined : event.currentTarget.valueAsNumber)}
          />
          {schema['x-unit'] && <span class="muted small">{schema['x-unit']}</span>}
        </span>
      )
    case 'choice':
      return (
        <select
          {...aria}
          id={id}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => set(event.currentTarget.value || undefined)}
        >
          <option value="">{usual(schema) || 'the default'}</option>
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )
    case 'strings':
      return <LinesInput {...props} />
    case 'text':
      return (schema.maxLength ?? 0) >= longText ? (
        <textarea
          {...aria}
          id={id}
          rows={2}
          placeholder={usual(schema)}
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => set(event.currentTarget.value || undefined)}
        />
      ) : (
        <input
          {...aria}
          id={id}
          type="text"
          placeholder={usual(schema)}
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => set(event.currentTarget.value || undefined)}
        />
      )
    case 'schema':
      return <SchemaInput {...props} />
    default:
      return <JsonInput {...props} />
  }
}

/** A JSON Schema: the field editor next to its JSON. */
function SchemaInput(props: WithId) {
  const { id, value, set } = props
  // Editing the fields discards unfinished JSON.
  const [builds, setBuilds] = useState(0)
  return (
    <div class="pair tight">
      <SchemaBuilder
        id={id}
        value={value}
        set={(next) => {
          setBuilds(builds + 1)
          set(next)
        }}
      />
      <div class="stack">
        <JsonInput key={builds} {...props} />
      </div>
    </div>
  )
}

function LinesInput({ value, set, id, aria }: WithId) {
  const lines = Array.isArray(value) ? value.join('\n') : ''
  return (
    <textarea
      {...aria}
      id={id}
      class="code"
      rows={2}
      placeholder="one per line"
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

function JsonInput({ field, value, set, id, aria }: WithId) {
  // Text that is not valid JSON yet; it stays in the input.
  const [unread, setUnread] = useState<string | undefined>()
  const parts = partsOf(field.schema)
  return (
    <>
      {parts.length > 0 && (
        <span class="chips" role="group" aria-label={`Add to ${field.label}`}>
          {parts.map(([name, part]) => (
            <button
              type="button"
              class="small"
              key={name}
              onClick={() => set([...(Array.isArray(value) ? value : []), part])}
            >
              + {name}
            </button>
          ))}
        </span>
      )}
      <textarea
        id={id}
        class="code"
        rows={field.kind === 'schema' || Array.isArray(value) ? 8 : 3}
        placeholder="JSON"
        {...(unread === undefined ? aria : { 'aria-invalid': 'true', 'aria-describedby': `${id}-fault` })}
        value={unread ?? (value === undefined ? '' : JSON.stringify(value, null, 2))}
        onChange={(event) => {
          const text = event.currentTarget.value
          const read = text.trim() === '' ? { value: undefined } : readJson(text)
          setUnread(read ? undefined : text)
          set(read?.value)
        }}
      />
      {unread !== undefined && (
        <span class="small error" id={`${id}-fault`} role="alert">
          This is not JSON yet, so it is not sent. Check its commas and quotes.
        </span>
      )}
    </>
  )
}

function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Returns the items that can be added to a list, each with its required fields. */
function partsOf({ items }: Schema): readonly (readonly [string, Values])[] {
  return (items?.oneOf ?? []).flatMap((item) => {
    const { properties = {}, required = [] } = item
    const name = properties['type']?.const
    if (typeof name !== 'string') return []
    const rest = required.filter((key) => key !== 'type').map((key) => [key, ''] as const)
    return [[name, { type: name, ...Object.fromEntries(rest) }] as const]
  })
}

function usual({ default: value, 'x-defaultText': defaultText }: Schema): string {
  if (defaultText !== undefined) return defaultText.replaceAll('`', '')
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
