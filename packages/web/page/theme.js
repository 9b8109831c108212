// Runs before the first paint, so that a chosen theme does not flash: the same choice as in src/lib/theme.ts.
{
  const kept = localStorage.getItem('theme')
  const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
