import { useContext, useState } from 'preact/hooks'

import { refusalOf } from '../lib/api.ts'
import { PageOfForm, schemaFromPage } from '../lib/page-schema.ts'
import { fieldsOfSchema, newField, schemaOf, typeNames, type BuiltField, type FieldType } from '../lib/schema-fields.ts'
import { Choice } from './choice.tsx'

export interface SchemaBuilderProps {
  readonly id: string
  readonly value: unknown
  readonly set: (value: unknown) => void
}

/** Edits a JSON Schema as rows of fields, next to the schema itself. Both can be edited. */
export function SchemaBuilder({ id, value, set }: SchemaBuilderProps) {
  // A field without a name cannot be in the schema, so it is only in this state.
  const [draft, setDraft] = useState<
    { readonly of: string | undefined; readonly fields: readonly BuiltField[] } | undefined
  >()
  const known = value === undefined ? [] : fieldsOfSchema(value)
  if (!known) {
    return <p class="hint">Fields cannot express this schema. Edit it as JSON.</p>
  }
  const fields = draft && draft.of === JSON.stringify(value) ? draft.fields : known
  const change = (next: readonly BuiltField[]): void => {
    const schema = next.length > 0 ? schemaOf(next) : undefined
    setDraft({ of: JSON.stringify(schema), fields: next })
    set(schema)
  }
  return (
    <>
      <Fields id={id} fields={fields} change={change} />
      <FromPage set={set} />
    </>
  )
}

/** Generates the schema from the page of the request. */
function FromPage({ set }: Pick<SchemaBuilderProps, 'set'>) {
  const url = useContext(PageOfForm)
  const [state, setState] = useState<'idle' | 'busy' | { readonly says: string }>('idle')
  if (url === '') return null
  const make = async (): Promise<void> => {
    setState('busy')
    try {
      const schema = await schemaFromPage(url)
      if (schema) set(schema)
      setState(
        schema ? 'idle' : { says: 'This page has no structured data to make a schema from. Add the fields yourself.' },
      )
    } catch (error) {
      setState({ says: refusalOf(error).message })
    }
  }
  return (
    <div class="bar">
      <button type="button" class="small" disabled={state === 'busy'} onClick={() => void make()}>
        {state === 'busy' ? 'Loading the page…' : 'Make it from this page'}
      </button>
      <span class="hint" role="status">
        {typeof state === 'object' && state.says}
      </span>
    </div>
  )
}

interface FieldsProps {
  readonly id: string
  readonly fields: readonly BuiltField[]
  readonly change: (fields: readonly BuiltField[]) => void
}

function Fields({ id, fields, change }: FieldsProps) {
  const setAt = (at: number, part: Partial<BuiltField>): void =>
    change(fields.map((field, index) => (index === at ? { ...field, ...part } : field)))
  return (
    <div class="builder stack" role="group" aria-label="Fields of the schema">
      {fields.map((field, at) => (
        <FieldRow
          key={at}
          id={`${id}-${at}`}
          field={field}
          set={(part) => setAt(at, part)}
          remove={() => change(fields.filter((_, index) => index !== at))}
        />
      ))}
      <span>
        <button type="button" class="small" onClick={() => change([...fields, newField])}>
          Add a field
        </button>
      </span>
    </div>
  )
}

interface FieldRowProps {
  readonly id: string
  readonly field: BuiltField
  readonly set: (part: Partial<BuiltField>) => void
  readonly remove: () => void
}

function FieldRow({ id, field, set, remove }: FieldRowProps) {
  const { name, type, isRequired, description, fields } = field
  const called = name === '' ? 'the new field' : name
  return (
    <div class="built">
      <input
        type="text"
        aria-label={`Name of ${called}`}
        placeholder="name"
        spellcheck={false}
        value={name}
        onInput={(event) => set({ name: event.currentTarget.value.trim() })}
      />
      <Choice
        label={`Type of ${called}`}
        names={typeNames}
        value={type}
        choose={(next) => set({ type: next as FieldType })}
      />
      <label class="small">
        <input
          type="checkbox"
          checked={isRequired}
          onChange={(event) => set({ isRequired: event.currentTarget.checked })}
        />
        needed
      </label>
      <button type="button" class="plain small" aria-label={`Remove ${called}`} onClick={remove}>
        ✕
      </button>
      <input
        class="what"
        type="text"
        aria-label={`What ${called} is`}
        placeholder="description (optional)"
        value={description}
        onInput={(event) => set({ description: event.currentTarget.value })}
      />
      {(type === 'object' || type === 'objects') && (
        <div class="inner">
          <Fields id={id} fields={fields} change={(next) => set({ fields: next })} />
        </div>
      )}
    </div>
  )
}
