// Runs before anything is painted, as a plain script: the theme that was chosen, or else the system's.
;(() => {
  const chosen = localStorage.getItem('bugle-theme')
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
})()
