import { useSyncExternalStore } from 'react'

const STORED_UNDER = 'bugle-single-keys'
const listeners = new Set<() => void>()

/** Single-key shortcuts can be turned off, because voice input and accidental presses trigger them too (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(STORED_UNDER) !== 'off'
}

export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(STORED_UNDER)
  else localStorage.setItem(STORED_UNDER, 'off')
  for (const listener of listeners) listener()
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, areSingleKeysOn)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
