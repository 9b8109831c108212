export interface ChoiceProps {
  readonly label: string
  /** Label of the empty choice; absent if a choice is required. */
  readonly all?: string
  readonly names: Readonly<Record<string, string>>
  readonly value: string
  readonly choose: (value: string) => void
}

/** A select of a few names, optionally with an empty choice. */
export function Choice({ label, all, names, value, choose }: ChoiceProps) {
  return (
    <select class="narrow" aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {all !== undefined && <option value="">{all}</option>}
      {Object.entries(names).map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
