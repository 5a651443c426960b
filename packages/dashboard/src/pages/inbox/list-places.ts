const PREFIX = 'bugle-place:'

/** Where somebody was in a list. */
export interface Place {
  readonly cursor: number
  readonly offset: number
}

const START: Place = { cursor: 0, offset: 0 }

/** Where they were when they left the list or loaded the page anew; the beginning, if they were not here. */
export function recallPlace(list: string): Place {
  const stored = sessionStorage.getItem(PREFIX + list)
  return stored === null ? START : (JSON.parse(stored) as Place)
}

export function rememberPlace(list: string, place: Place): void {
  sessionStorage.setItem(PREFIX + list, JSON.stringify(place))
}

export function forgetPlace(list: string): void {
  sessionStorage.removeItem(PREFIX + list)
}
