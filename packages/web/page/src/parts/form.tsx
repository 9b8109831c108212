import { useState } from 'preact/hooks'

import type { Values } from '../lib/draft.ts'
import { fieldsOf, type Field, type Schema } from '../lib/schema.ts'
import { Input } from './inputs.tsx'

export interface FormProps {
  readonly schema: Schema
  /** The option whose input is above the form. */
  readonly target: string
  /** Options with an input elsewhere. Default: the options that always have one. */
  readonly apart?: ReadonlySet<string> | undefined
  /** Changed values; all other options keep the server's defaults. */
  readonly values: Values
  readonly change: (values: Values) => void
}

const otherGroup = 'General'

/** A form for all options of a request, generated from its schema. */
export function Form({ schema, target, apart, values, change }: FormProps) {
  const [wanted, setWanted] = useState('')
  const fields = fieldsOf(schema, apart).filter(({ name }) => name !== target)
  const groups = Map.groupBy(fields, (field) => field.schema['x-group'] ?? otherGroup)
  const [first] = groups.keys()
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
      {fields.every((field) => !matches(field)) && <p class="pad small muted">No option matches.</p>}
      {[...groups].map(([group, all]) => {
        const found = all.filter(matches)
        if (found.length === 0) return null
        const changed = all.filter(({ name }) => name in values).length
        return (
          <details class="group" key={group} open={word !== '' || changed > 0 || group === first}>
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
