import { useState } from 'preact/hooks'

import { usualDraft, type Draft } from '../lib/draft.ts'
import type { Field } from '../lib/schema.ts'
import { FaultLine, useFault } from './fault.tsx'
import { Input } from './inputs.tsx'

export interface FormatsProps {
  readonly draft: Draft
  readonly names: readonly string[]
  readonly fields: ReadonlyMap<string, readonly Field[]>
  readonly change: (part: Partial<Draft>) => void
}

/** Formats that are shown at first: the defaults of a new request, then other common ones. */
const usual = [
  ...new Set([...usualDraft.formats, 'html', 'json', 'screenshot', 'summary', 'images', 'metadata', 'changeTracking']),
]

/** Selects the formats of the document, and their options. */
export function Formats({ draft, names, fields, change }: FormatsProps) {
  const { formats, formatValues } = draft
  // A name such as `screenshot@fullPage` is covered by the plain format and its option.
  const plain = names.filter((name) => !name.includes('@'))
  const others = plain.filter((name) => !usual.includes(name))
  const [isAll, setAll] = useState(() => others.some((name) => formats.includes(name)))
  const shown = [...usual.filter((name) => plain.includes(name)), ...(isAll ? others : [])]
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
          <Chip
            key={name}
            name={name}
            isChosen={formats.includes(name)}
            choose={(isChosen) =>
              change({ formats: isChosen ? [...formats, name] : formats.filter((one) => one !== name) })
            }
          />
        ))}
        {!isAll && shown.length < plain.length && (
          <button type="button" class="plain small" onClick={() => setAll(true)}>
            {plain.length - shown.length} more formats
          </button>
        )}
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

interface ChipProps {
  readonly name: string
  readonly isChosen: boolean
  readonly choose: (isChosen: boolean) => void
}

function Chip({ name, isChosen, choose }: ChipProps) {
  const id = `format-${name}`
  const { aria } = useFault(id, 'whole')
  return (
    <>
      <label class="chip">
        <input
          {...aria}
          id={id}
          type="checkbox"
          checked={isChosen}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
        {name}
      </label>
      {aria['aria-invalid'] && <FaultLine id={id} />}
    </>
  )
}
