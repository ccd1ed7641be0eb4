internal import CLibFuzzer
import FuzzSupport

/// Called by libFuzzer for each new input: changes bytes as it does by itself, changes whole values, or puts a text
/// together from such values.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateLog(_ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ longest: Int, _ seed: UInt32) -> Int {
    let choice = seed % 8
    // Safe: libFuzzer gives room for `longest` bytes, of which the first `count` are the input.
    if choice < 2 { return unsafe LLVMFuzzerMutate(start, count, longest) }
    var mutation = unsafe LogMutation(of: Array(UnsafeBufferPointer(start: start, count: count)), seed: seed)
    let text = (choice < 5 ? mutation.assembled() : mutation.mutated()).prefix(longest)
    for (index, byte) in text.enumerated() { unsafe start[index] = byte }
    return choice < 7 ? text.count : unsafe LLVMFuzzerMutate(start, text.count, longest)
}
