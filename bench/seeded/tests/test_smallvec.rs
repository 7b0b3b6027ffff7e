use smallvec::{SmallVec, smallvec};

fn small(items: &[u32]) -> SmallVec<[u32; 4]> {
    SmallVec::from_slice(items)
}

fn main() {
    let mut one: SmallVec<[u32; 4]> = smallvec![1, 2, 3];
    assert!(!one.spilled());
    one.push(4);
    one.push(5);
    assert!(one.spilled());
    assert_eq!(&one[..], [1, 2, 3, 4, 5]);
    assert_eq!(one.pop(), Some(5));
    one.insert(1, 9);
    assert_eq!(one.remove(0), 1);
    assert_eq!(one.swap_remove(0), 9);
    one.insert_from_slice(1, &[7, 8]);
    assert_eq!(one.as_slice(), [4, 7, 8, 2, 3]);
    one.insert_many(2, [10, 11]);
    assert_eq!(one.as_slice(), [4, 7, 10, 11, 8, 2, 3]);
    assert_eq!(one.drain(1..3).collect::<Vec<_>>(), [7, 10]);
    one.truncate(3);
    one.shrink_to_fit();
    assert_eq!((one.len(), one.spilled(), one.capacity()), (3, false, 4));
    one.retain(|item| *item != 11);
    assert_eq!(one.as_slice(), [4, 8]);
    one.extend_from_slice(&[1, 1, 2]);
    one.dedup();
    assert_eq!(one.as_slice(), [4, 8, 1, 2]);
    one.resize(6, 0);
    assert_eq!(one.as_slice(), [4, 8, 1, 2, 0, 0]);
    one.dedup_by_key(|item| *item / 4);
    assert_eq!(one.as_slice(), [4, 8, 1]);
    one.reserve(10);
    assert!(one.capacity() >= 13);
    one.reserve_exact(20);
    one.grow(40);
    assert_eq!(one.capacity(), 40);
    let mut joined = small(&[1]);
    joined.append(&mut one);
    assert_eq!((joined.as_slice(), one.len()), (&[1, 4, 8, 1][..], 0));
    assert_eq!(joined.clone(), joined);
    assert!(small(&[1, 2]) < small(&[1, 3]));
    assert_eq!(format!("{:?}", small(&[1, 2])), "[1, 2]");
    assert_eq!((0..6).collect::<SmallVec<[u32; 4]>>().into_vec(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(small(&[1, 2, 3, 4]).into_inner().unwrap(), [1, 2, 3, 4]);
    assert_eq!(small(&[1, 2]).into_iter().rev().collect::<Vec<_>>(), [2, 1]);
    assert_eq!(SmallVec::from_buf_and_len([1, 2, 3, 4], 2).as_slice(), [1, 2]);
    assert_eq!(SmallVec::<[u32; 4]>::from_vec(vec![1, 2]).as_slice(), [1, 2]);
    assert_eq!(SmallVec::<[u32; 2]>::from_elem(3, 5).as_slice(), [3; 5]);
    assert_eq!(SmallVec::from([1, 2, 3, 4]).len(), 4);
    assert_eq!(small(&[5, 6]).into_boxed_slice().len(), 2);
    let counted = std::rc::Rc::new(());
    let mut many: SmallVec<[_; 2]> = smallvec![counted.clone(); 5];
    assert_eq!(std::rc::Rc::strong_count(&counted), 6);
    many.clear();
    assert_eq!(std::rc::Rc::strong_count(&counted), 1);
    let mut text: SmallVec<[u8; 4]> = SmallVec::new();
    text.resize_with(3, || 7);
    assert_eq!(text.into_iter().as_slice(), [7, 7, 7]);
    assert!(small(&[1]).try_reserve(usize::MAX).is_err());
}
