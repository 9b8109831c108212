export interface ChoiceProps {
  readonly label: string
  /** What stands for no choice; absent where one is always made. */
  readonly all?: string
  readonly names: Readonly<Record<string, string>>
  readonly value: string
  readonly choose: (value: string) => void
}

/** One of a few names, or all of them. */
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
