import type { Draft } from '../lib/draft.ts'
import type { Description, Field } from '../lib/schema.ts'
import { Input } from './inputs.tsx'

export interface FormatsProps {
  readonly draft: Draft
  readonly names: readonly string[]
  readonly fields: ReadonlyMap<string, readonly Field[]>
  readonly description: Description
  readonly change: (part: Partial<Draft>) => void
}

/** What the document has: a choice of formats, and the options of those that are chosen. */
export function Formats({ draft, names, fields, description, change }: FormatsProps) {
  const { formats, formatValues } = draft
  // Of a word with an option in it there is the plain word, and the option.
  const shown = names.filter((name) => !name.includes('@'))
  const set = (format: string, name: string, value: unknown): void => {
    const { [name]: _, ...rest } = formatValues[format] ?? {}
    change({ formatValues: { ...formatValues, [format]: value === undefined ? rest : { ...rest, [name]: value } } })
  }
  const withOptions = formats.flatMap((name) => {
    const own = fields.get(name)
    return own ? [[name, own] as const] : []
  })
  return (
    <>
      <fieldset class="chips bare">
        <legend class="sr">Formats</legend>
        {shown.map((name) => (
          <label class="chip" key={name}>
            <input
              type="checkbox"
              checked={formats.includes(name)}
              onChange={(event) =>
                change({
                  formats: event.currentTarget.checked ? [...formats, name] : formats.filter((one) => one !== name),
                })
              }
            />
            {name}
          </label>
        ))}
      </fieldset>
      {withOptions.map(([name, own]) => (
        <details
          class="card format"
          key={name}
          open={own.some(({ isRequired }) => isRequired) || own.some((field) => field.name === 'prompt')}
        >
          <summary>
            <span class="mono">{name}</span>
          </summary>
          <div class="fields">
            {own.map((field) => (
              <Input
                key={field.name}
                field={field}
                description={description}
                value={formatValues[name]?.[field.name]}
                set={(value) => set(name, field.name, value)}
                within={`format-${name}`}
              />
            ))}
          </div>
        </details>
      ))}
    </>
  )
}
