import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const kept = localStorage.getItem('theme')
export const theme = signal<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system')

/** Applies the system theme, or the chosen one. Follows later changes of both. */
export function startTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void => {
    const isDark = theme.value === 'dark' || (theme.value === 'system' && dark.matches)
    document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
  }
  dark.addEventListener('change', apply)
  effect(() => {
    localStorage.setItem('theme', theme.value)
    apply()
  })
}
